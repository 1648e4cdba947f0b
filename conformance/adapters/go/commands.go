package main

import (
	"dshport/session"
)

// commandReader knows the commands of the groups that are claimed, and the suite's own.
func commandReader(does string) reader {
	switch does {
	case "construct":
		return reading(construct)
	case "prepare":
		return reading(prepare)
	case "enter":
		return reading(enter)
	case "announce":
		return reading(announce)
	case "detach":
		return reading(callDetach)
	case "create":
		return reading(create)
	case "fork":
		return reading(fork)
	case "append":
		return reading(appendTo)
	case "flush":
		return reading(flush)
	case "inspect":
		return reading(inspect)
	case "look":
		return reading(look)
	case "tamper":
		return reading(tamper)
	case "listen":
		return reading(listen)
	case "unlisten":
		return reading(unlisten)
	case "open":
		return reading(open)
	case "forget":
		return reading(forget)
	}
	return nil
}

func done() record {
	return record{"is": "done"}
}

type construction struct {
	Handle handle  `arg:"handle"`
	ID     string  `arg:"id"`
	Seed   []value `arg:"seed,optional"`
	Header value   `arg:"header,optional"`
}

func construct(w *world, args construction, _ subject) (record, error) {
	return w.making(args.Handle, given(&args.ID, args.Seed, args.Header), func(given *making) (*session.Session, error) {
		if !args.Header.given() {
			return session.New(args.ID, given.seed)
		}
		return session.NewWithHeader(args.ID, given.seed, given.meta)
	})
}

type creation struct {
	Handle handle  `arg:"handle"`
	ID     *string `arg:"id,optional"`
	Seed   []value `arg:"seed,optional"`
	Meta   value   `arg:"meta,optional"`
}

func prepare(w *world, args creation, _ subject) (record, error) {
	return w.making(args.Handle, given(args.ID, args.Seed, args.Meta), func(given *making) (*session.Session, error) {
		return w.store.Prepare(args.ID, given.seed, given.meta)
	})
}

func create(w *world, args creation, _ subject) (record, error) {
	return w.making(args.Handle, given(args.ID, args.Seed, args.Meta), func(given *making) (*session.Session, error) {
		return w.store.Create(args.ID, given.seed, given.meta)
	})
}

type forking struct {
	Handle   handle  `arg:"handle"`
	Source   *name   `arg:"source,optional"`
	SourceID string  `arg:"source_id,optional"`
	Boundary value   `arg:"boundary,optional"`
	ID       *string `arg:"id,optional"`
}

func fork(w *world, args forking, on subject) (record, error) {
	through := session.Whole
	if args.Boundary.given() {
		through = session.Through(args.Boundary.made())
	}
	return w.making(args.Handle, &making{}, func(*making) (*session.Session, error) {
		if args.Source == nil {
			return w.store.ForkByID(args.SourceID, through, args.ID)
		}
		source, err := w.handles.session(*args.Source, on)
		if err != nil {
			return nil, err
		}
		return w.store.Fork(source, through, args.ID)
	})
}

// making has a session made of what is given, and binds it.
func (w *world) making(called handle, given *making, make func(*making) (*session.Session, error)) (record, error) {
	if err := w.handles.claim(called.name); err != nil {
		return nil, err
	}
	w.makings.begin(given)
	made, err := make(given)
	if err != nil {
		return nil, err
	}
	w.makings.came[made] = given
	w.handles[called.name] = made
	return record{"is": "made", "session": w.token(made), "id": made.ID()}, nil
}

type about struct {
	Session name `arg:"session"`
}

type begun struct {
	Handle  handle `arg:"handle"`
	Session name   `arg:"session"`
}

// claimed is the session of a command that gives a handle.
func (w *world) claimed(args begun, on subject) (*session.Session, error) {
	if err := w.handles.claim(args.Handle.name); err != nil {
		return nil, err
	}
	return w.handles.session(args.Session, on)
}

func enter(w *world, args begun, on subject) (record, error) {
	entering, err := w.claimed(args, on)
	if err != nil {
		return nil, err
	}
	leave, err := w.store.Enter(entering)
	if err != nil {
		return nil, err
	}
	w.handles[args.Handle.name] = detach(leave)
	return done(), nil
}

func announce(w *world, args about, on subject) (record, error) {
	announced, err := w.handles.session(args.Session, on)
	if err != nil {
		return nil, err
	}
	return done(), w.store.Announce(announced)
}

func callDetach(w *world, args struct {
	Entry name `arg:"entry"`
}, _ subject) (record, error) {
	leave, err := bound[detach](w.handles, args.Entry)
	if err != nil {
		return nil, err
	}
	leave()
	return done(), nil
}

func appendTo(w *world, args struct {
	Session name   `arg:"session"`
	Type    string `arg:"type"`
	Data    value  `arg:"data"`
}, on subject) (record, error) {
	target, err := w.handles.session(args.Session, on)
	if err != nil {
		return nil, err
	}
	event, err := target.Append(args.Type, args.Data.made())
	return record{"is": "appended", "seq": event.Seq}, err
}

// flush starts a flush, and observes when the turn is over how it ended.
func flush(w *world, args begun, on subject) (record, error) {
	target, err := w.claimed(args, on)
	if err != nil {
		return nil, err
	}
	w.handles[args.Handle.name] = pending{}
	w.store.Flush(target, func(participated bool, err error) {
		outcome := record{"is": "flushed", "participated": participated}
		if err != nil {
			outcome = refusal(err)
		}
		w.later(func() {
			delete(w.handles, args.Handle.name)
			w.observe("settled", record{"operation": args.Handle.name, "outcome": outcome})
		})
	})
	return record{"is": "started"}, nil
}

func inspect(w *world, args about, on subject) (record, error) {
	target, err := w.handles.session(args.Session, on)
	if err != nil {
		return nil, err
	}
	log := []any{}
	for _, event := range target.Events() {
		log = append(log, shown(event.Record(), 0))
	}
	return record{
		"is":             "snapshot",
		"session":        w.token(target),
		"header":         shown(target.Header(), 0),
		"log":            log,
		"first_live_seq": target.FirstLiveSeq(),
	}, nil
}

func look(w *world, args struct {
	ID string `arg:"id"`
}, _ subject) (record, error) {
	found := record{"is": "found", "session": nil, "agent": nil, "owner": nil, "root": false}
	if live := w.store.Get(args.ID); live != nil {
		found["session"] = w.token(live)
	}
	return found, nil
}

func open(w *world, args struct {
	Gate name `arg:"gate"`
}, _ subject) (record, error) {
	w.gate(args.Gate).Settle(nil)
	return done(), nil
}

func forget(w *world, args struct {
	Handle name `arg:"handle"`
}, _ subject) (record, error) {
	if err := w.handles.claim(args.Handle); err != nil {
		return nil, err
	}
	if _, err := bound[any](w.handles, args.Handle); err != nil {
		return nil, err
	}
	delete(w.handles, args.Handle)
	return done(), nil
}

// react runs a command, during which watch reacts.
func react(w *world, args struct {
	Command   command    `arg:"command"`
	Reactions []reaction `arg:"reactions"`
}, on subject) (record, error) {
	w.reactions = append([]reaction{}, args.Reactions...)
	return args.Command(w, on)
}

// together runs commands in one turn.
func together(w *world, args struct {
	Commands []command `arg:"commands"`
}, on subject) (record, error) {
	outcomes := []record{}
	for _, each := range args.Commands {
		outcomes = append(outcomes, w.perform(each, on))
	}
	return record{"is": "all", "outcomes": outcomes}, nil
}
