package main

import (
	"fmt"

	"dshport/session"
)

// A script is what a listener does when it is called.
type script struct {
	Actions []command `arg:"actions,optional"`
	Ending  ending    `arg:"ending,optional"`
}

func (s *script) UnmarshalJSON(text []byte) error {
	return object(text, s)
}

// An ending is how a script ends; without a word it returns.
type ending struct {
	End     string    `arg:"end"`
	Tag     string    `arg:"tag,optional"`
	Gate    name      `arg:"gate,optional"`
	Actions []command `arg:"actions,optional"`
	Then    *ending   `arg:"then,optional"`
}

func (e *ending) UnmarshalJSON(text []byte) error {
	if err := object(text, e); err != nil {
		return err
	}
	switch e.End {
	case "returns", "throws", "rejects", "holds":
		return nil
	}
	return fmt.Errorf("%q is no ending", e.End)
}

// run runs a script, and ends as it says: the way a listener of the port's does.
func (w *world) run(by name, does script, on subject) (*session.Promise, error) {
	w.act(by, does.Actions, on)
	return w.end(by, does.Ending, on)
}

func (w *world) end(by name, how ending, on subject) (*session.Promise, error) {
	switch how.End {
	case "throws":
		return nil, thrown{how.Tag}
	case "rejects":
		promise := &session.Promise{}
		promise.Settle(thrown{how.Tag})
		return promise, nil
	case "holds":
		return w.hold(by, how, on), nil
	}
	return nil, nil
}

// hold goes on in a turn of its own once the gate is open.
func (w *world) hold(by name, how ending, on subject) *session.Promise {
	promise := &session.Promise{}
	w.gate(how.Gate).Then(func(error) {
		w.later(func() {
			w.act(by, how.Actions, on)
			var failure error
			if how.Then != nil {
				_, failure = w.end(by, *how.Then, on)
			}
			promise.Settle(failure)
		})
	})
	return promise
}

func (w *world) act(by name, actions []command, on subject) {
	for _, each := range actions {
		w.observe("did", record{"by": by, "outcome": w.perform(each, on)})
	}
}
