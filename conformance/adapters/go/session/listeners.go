package session

import "slices"

// The events that listeners hear.
const (
	Created  = "session/created"
	Appended = "session/event"
	Disposed = "session/disposed"
	Flushing = "session/flush"
)

// Notice is what a listener is told: the session, and the event where one was appended.
type Notice struct {
	Session *Session
	Event   *Event
}

// A Listener hears an event. An error is a failure at once; a promise is work that goes on.
type Listener func(Notice) (*Promise, error)

// Listeners are the listeners of each event, in the order of their registration.
type Listeners struct {
	of map[string][]*Listener
}

// On registers a listener behind the others, and returns what removes it.
func (l *Listeners) On(event string, listener Listener) (remove func()) {
	if l.of == nil {
		l.of = map[string][]*Listener{}
	}
	registered := &listener
	l.of[event] = append(l.of[event], registered)
	return func() {
		isIt := func(other *Listener) bool { return other == registered }
		l.of[event] = slices.DeleteFunc(slices.Clone(l.of[event]), isIt)
	}
}

// called are the listeners that a dispatch calls: those that there are when it begins.
func (l *Listeners) called(event string) []*Listener {
	return slices.Clone(l.of[event])
}

// tell calls listeners until one fails; its failure is the dispatch's. It waits for no promise (STO-5).
func (l *Listeners) tell(event string, session *Session) error {
	for _, listener := range l.called(event) {
		if _, err := (*listener)(Notice{Session: session}); err != nil {
			return err
		}
	}
	return nil
}

// tellAll calls every listener, whichever of them fail (LOG-4, STO-8).
func (l *Listeners) tellAll(event string, session *Session, appended *Event) {
	for _, listener := range l.called(event) {
		notice := Notice{Session: session}
		if appended != nil {
			own := appended.copy()
			notice.Event = &own
		}
		_, _ = (*listener)(notice)
	}
}

// Promise is work that ends later, well or with an error. It ends once.
type Promise struct {
	over    bool
	err     error
	waiting []func(error)
}

// Settle ends the work, and tells those who wait.
func (p *Promise) Settle(err error) {
	if p.over {
		return
	}
	p.over, p.err = true, err
	for _, then := range p.waiting {
		then(err)
	}
	p.waiting = nil
}

// Then is called when the work ends, at once if it has.
func (p *Promise) Then(then func(error)) {
	if p.over {
		then(p.err)
		return
	}
	p.waiting = append(p.waiting, then)
}
