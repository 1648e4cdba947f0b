package main

import (
	"fmt"

	"dshport/session"
)

// A world is what there is between two resets: the port's store, the names given, what was observed.
type world struct {
	store     session.Store
	handles   handles
	tokens    map[*session.Session]string
	gates     map[name]*session.Promise
	makings   makings
	reactions []reaction // of the current command, those that are not used
	soon      []func()   // what goes on when the turn is over
	seen      []record
}

func newWorld() *world {
	world := &world{
		handles: handles{},
		tokens:  map[*session.Session]string{},
		gates:   map[name]*session.Promise{},
		makings: makings{came: map[*session.Session]*making{}},
		seen:    []record{},
	}
	world.watch()
	return world
}

// perform runs a command; an error is a refusal.
func (w *world) perform(do command, on subject) record {
	outcome, err := do(w, on)
	if err != nil {
		return refusal(err)
	}
	return outcome
}

// becomeQuiescent lets everything go on that is not held at a gate.
func (w *world) becomeQuiescent() {
	for len(w.soon) > 0 {
		next := w.soon[0]
		w.soon = w.soon[1:]
		next()
	}
}

// later has something go on when the turn is over, as what waits for a promise does.
func (w *world) later(next func()) {
	w.soon = append(w.soon, next)
}

// gate is a promise that is kept once the gate is open.
func (w *world) gate(called name) *session.Promise {
	if w.gates[called] == nil {
		w.gates[called] = &session.Promise{}
	}
	return w.gates[called]
}

// observe notes something, together with what is live at this moment.
func (w *world) observe(see string, fields record) {
	fields["see"] = see
	fields["live"] = w.live()
	w.seen = append(w.seen, fields)
}

// takeSeen takes what was observed since the last time.
func (w *world) takeSeen() []record {
	seen := w.seen
	w.seen = []record{}
	return seen
}

// live is what both collections list; this port has no agents.
func (w *world) live() record {
	sessions := []string{}
	for _, live := range w.store.List() {
		sessions = append(sessions, w.token(live))
	}
	return record{"sessions": sessions, "agents": []string{}}
}

// token is the name that the suite gets for a session: one per object.
func (w *world) token(of *session.Session) string {
	if w.tokens[of] == "" {
		w.tokens[of] = fmt.Sprintf("#%d", len(w.tokens)+1)
	}
	return w.tokens[of]
}
