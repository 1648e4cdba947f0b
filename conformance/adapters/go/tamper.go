package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"dshport/session"
)

// A making is what was passed to have a session made: the very values that the port was given.
type making struct {
	id   *string
	seed []any
	meta any
}

// given makes what a command passes. A seed that is not given is nil; an empty one is not.
func given(id *string, seed []value, meta value) *making {
	made := &making{id: id, meta: meta.made()}
	if seed != nil {
		made.seed = []any{}
	}
	for _, event := range seed {
		made.seed = append(made.seed, event.made())
	}
	return made
}

// makings are all of them, and which sessions came of them.
type makings struct {
	begun []*making
	came  map[*session.Session]*making
}

func (m *makings) begin(given *making) {
	m.begun = append(m.begun, given)
}

// of is what was passed for a session. A listener may meet a session before its maker has it in
// hand; then the last making of its id is it.
func (m *makings) of(made *session.Session) *making {
	if came := m.came[made]; came != nil {
		return came
	}
	for _, begun := range slices.Backward(m.begun) {
		if begun.id == nil || *begun.id == made.ID() {
			return begun
		}
	}
	return &making{}
}

// A place is where tamper writes.
type place string

func (p *place) UnmarshalJSON(text []byte) error {
	places := []place{"meta", "seed", "header", "events", "event", "data"}
	if err := json.Unmarshal(text, (*string)(p)); err != nil || !slices.Contains(places, *p) {
		return fmt.Errorf("%s is no place", text)
	}
	return nil
}

// tamper writes wherever the place can be written to. In Go every write works; what counts is what
// the session shows afterwards.
func tamper(w *world, args struct {
	Session name  `arg:"session"`
	Place   place `arg:"place"`
}, on subject) (record, error) {
	target, err := w.handles.session(args.Session, on)
	if err != nil {
		return nil, err
	}
	events := target.Events()
	switch args.Place {
	case "meta":
		attack(w.makings.of(target).meta)
	case "seed":
		attack(w.makings.of(target).seed)
	case "header":
		attack(target.Header())
	case "events":
		clear(events)
	case "event":
		for index := range events {
			events[index].Type, events[index].Data = "tampered", "tampered"
		}
	case "data":
		for _, event := range events {
			attack(event.Data)
		}
	}
	return done(), nil
}

// attack writes to a value and to everything inside it, once.
func attack(value any) {
	switch value := value.(type) {
	case record:
		if value["tampered"] != nil {
			return
		}
		value["tampered"] = "tampered"
		for key, item := range value {
			attack(item)
			value[key] = "tampered"
		}
		value["cwd"] = "/tampered"
	case []any:
		for index, item := range value {
			attack(item)
			value[index] = "tampered"
		}
	}
}
