package main

import (
	"fmt"

	"dshport/session"
)

// What a handle can mean, beside a *session.Session.
type (
	// detach ends a session's stay.
	detach func()
	// listener is registered until it is removed.
	listener struct{ remove func() }
	// pending is an operation that has not settled.
	pending struct{}
)

// A subject is the session that @session stands for in a script, if any.
type subject struct{ session *session.Session }

var nobody = subject{}

// declined is a refusal of the adapter's own: the port was not asked.
type declined struct{ code, says string }

func (d declined) Error() string { return d.says }

// handles are the suite's names, and what they mean.
type handles map[name]any

// claim refuses a handle that still names something which will be observed under it.
func (h handles) claim(called name) error {
	switch h[called].(type) {
	case *listener, pending:
		return declined{"HANDLE_IN_USE", fmt.Sprintf("%s is in use", called)}
	default:
		return nil
	}
}

// bound is what a handle means, which has to be of that kind.
func bound[T any](h handles, called name) (T, error) {
	meant, isKind := h[called].(T)
	if !isKind {
		return meant, declined{"UNBOUND", fmt.Sprintf("%s is not bound to that kind of thing", called)}
	}
	return meant, nil
}

// session is the session that a name stands for.
func (h handles) session(called name, on subject) (*session.Session, error) {
	if called == "@session" && on.session != nil {
		return on.session, nil
	}
	return bound[*session.Session](h, called)
}
