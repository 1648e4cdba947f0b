package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"dshport/session"
)

// An eventName is the name of an event that this port has.
type eventName string

var watched = []eventName{session.Created, session.Appended, session.Disposed}

func (e *eventName) UnmarshalJSON(text []byte) error {
	err := json.Unmarshal(text, (*string)(e))
	if err != nil || *e != session.Flushing && !slices.Contains(watched, *e) {
		return fmt.Errorf("%s is no event", text)
	}
	return nil
}

// A reaction is what watch does the first time that it hears an event.
type reaction struct {
	Event  eventName `arg:"event"`
	Script script    `arg:"script"`
}

func (r *reaction) UnmarshalJSON(text []byte) error {
	return object(text, r)
}

// watch registers the listener that watches everything, and runs the reactions of commands.
func (w *world) watch() {
	for _, event := range watched {
		w.listen("watch", event, func() *script { return w.takeReaction(event) })
	}
}

func (w *world) takeReaction(event eventName) *script {
	for index, waiting := range w.reactions {
		if waiting.Event == event {
			w.reactions = slices.Delete(w.reactions, index, index+1)
			return &waiting.Script
		}
	}
	return nil
}

type listening struct {
	Handle handle    `arg:"handle"`
	Event  eventName `arg:"event"`
	Script script    `arg:"script,optional"`
	Times  *uint     `arg:"times,optional"`
}

func listen(w *world, args listening, _ subject) (record, error) {
	if err := w.handles.claim(args.Handle.name); err != nil {
		return nil, err
	}
	left := uint(1)
	if args.Times != nil {
		left = *args.Times
	}
	remove := w.listen(args.Handle.name, args.Event, func() *script {
		if left == 0 {
			return nil
		}
		left--
		return &args.Script
	})
	w.handles[args.Handle.name] = &listener{remove}
	return done(), nil
}

func unlisten(w *world, args struct {
	Listener name `arg:"listener"`
}, _ subject) (record, error) {
	registered, err := bound[*listener](w.handles, args.Listener)
	if err != nil {
		return nil, err
	}
	registered.remove()
	delete(w.handles, args.Listener)
	return done(), nil
}

// listen registers a listener that observes what it hears, and then runs the script of this time.
func (w *world) listen(called name, event eventName, takeScript func() *script) (remove func()) {
	return w.store.On(string(event), func(notice session.Notice) (*session.Promise, error) {
		w.observe("heard", w.heard(called, event, notice))
		does := takeScript()
		if does == nil {
			return nil, nil
		}
		return w.run(called, *does, subject{notice.Session})
	})
}

func (w *world) heard(called name, event eventName, notice session.Notice) record {
	fields := record{"listener": called, "event": event, "session": w.token(notice.Session)}
	if appended := notice.Event; appended != nil {
		fields["seq"] = appended.Seq
		fields["type"] = appended.Type
		fields["time"] = appended.Time
		fields["data"] = shown(appended.Data, 0)
	}
	return fields
}
