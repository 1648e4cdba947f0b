package session

import (
	"fmt"
	"slices"
)

// Store is the collection of live sessions. Its zero value is an empty store.
type Store struct {
	Listeners
	live   []*entry // in the order of entering
	minted int
}

// An entry is one stay of one session in a store. Ids are used again, entries are not (STO-6).
type entry struct {
	store     *Store
	session   *Session
	announced bool // or being so
	announcing,
	appending bool // a dispatch of its own runs
	detached bool // its detach was called
	left     bool
}

// Prepare constructs a session that may be entered; it holds nothing back (STO-1). Without an id
// one is minted.
func (s *Store) Prepare(id *string, seed []any, meta any) (*Session, error) {
	if id == nil {
		minted := s.mint()
		id = &minted
	}
	if s.Get(*id) != nil {
		return nil, ErrIDTaken
	}
	return NewWithHeader(*id, seed, candidate(*id, meta))
}

// mint chooses an id that is not live, and none twice (STO-10).
func (s *Store) mint() string {
	for {
		s.minted++
		if id := fmt.Sprintf("session-%d", s.minted); s.Get(id) == nil {
			return id
		}
	}
}

// Enter makes a session live, and returns what ends that; of several with one id the first wins
// (STO-2, STO-3).
func (s *Store) Enter(session *Session) (detach func(), err error) {
	if session.entry != nil {
		return nil, ErrAlreadyAttached
	}
	if s.Get(session.ID()) != nil {
		return nil, ErrIDTaken
	}
	entry := &entry{store: s, session: session}
	session.entry = entry
	s.live = append(s.live, entry)
	return entry.detach, nil
}

// Announce tells listeners, once, that a session is live. The first failure vetoes (STO-4, STO-5).
func (s *Store) Announce(session *Session) error {
	if !s.has(session) {
		return ErrNotLive
	}
	entry := session.entry
	if entry.announced {
		return ErrAlreadyAnnounced
	}
	entry.announced, entry.announcing = true, true
	err := s.tell(Created, session)
	entry.announcing = false
	entry.leaveIfDue()
	return err
}

// Create prepares, enters and announces. A veto takes the session back (STO-9).
func (s *Store) Create(id *string, seed []any, meta any) (*Session, error) {
	session, err := s.Prepare(id, seed, meta)
	if err != nil {
		return nil, err
	}
	detach, err := s.Enter(session)
	if err != nil {
		return nil, err
	}
	if err := s.Announce(session); err != nil {
		detach()
		return nil, err
	}
	return session, nil
}

// Get is the live session with an id, or nil (STO-11).
func (s *Store) Get(id string) *Session {
	for _, entry := range s.live {
		if entry.session.ID() == id {
			return entry.session
		}
	}
	return nil
}

// List is the live sessions, in the order of entering (STO-11).
func (s *Store) List() []*Session {
	sessions := make([]*Session, len(s.live))
	for index, entry := range s.live {
		sessions[index] = entry.session
	}
	return sessions
}

// Flush asks every listener to store a session now. When all are done it says whether there was
// any, or fails with the failure of the one that was registered first (STO-12).
func (s *Store) Flush(session *Session, done func(participated bool, err error)) {
	if !s.has(session) {
		done(false, ErrNotLive)
		return
	}
	called := s.called(Flushing)
	failures := make([]error, len(called))
	waiting := len(called) + 1 // so many listeners, and the loop that calls them
	over := func() {
		if waiting--; waiting == 0 {
			done(len(called) > 0, first(failures))
		}
	}
	for index, listener := range called {
		promise, err := (*listener)(Notice{Session: session})
		if promise == nil {
			promise = &Promise{over: true, err: err}
		}
		promise.Then(func(err error) {
			failures[index] = err
			over()
		})
	}
	over()
}

func first(failures []error) error {
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

// has says whether this very session is live here.
func (s *Store) has(session *Session) bool {
	return session.entry != nil && session.entry.store == s
}

// publish dispatches an event that is in the log (LOG-4).
func (e *entry) publish(event Event) {
	e.appending = true
	e.store.tellAll(Appended, e.session, &event)
	e.appending = false
	e.leaveIfDue()
}

// detach ends the stay, at once or when its dispatches have unwound (STO-6, STO-7).
func (e *entry) detach() {
	e.detached = true
	e.leaveIfDue()
}

// leaveIfDue takes the entry out of the store, once, and tells of the end who was told of the
// beginning (STO-7, STO-8).
func (e *entry) leaveIfDue() {
	if !e.detached || e.left || e.announcing || e.appending {
		return
	}
	e.left = true
	e.session.entry = nil
	e.store.live = slices.DeleteFunc(e.store.live, func(other *entry) bool { return other == e })
	if e.announced {
		e.store.tellAll(Disposed, e.session, nil)
	}
}
