package main

import (
	"errors"

	"dshport/session"
)

// codes is THE table: the port's errors, and the protocol's codes for them.
var codes = map[error]string{
	session.ErrHeaderNotJSON:    "HEADER_NOT_JSON",
	session.ErrHeaderVersion:    "HEADER_VERSION",
	session.ErrHeaderID:         "HEADER_ID",
	session.ErrHeaderCreatedAt:  "HEADER_CREATED_AT",
	session.ErrHeaderCWD:        "HEADER_CWD",
	session.ErrHeaderField:      "HEADER_FIELD",
	session.ErrSeedNotJSON:      "SEED_NOT_JSON",
	session.ErrSeedEnvelope:     "SEED_ENVELOPE",
	session.ErrSeedSeq:          "SEED_SEQ",
	session.ErrDataNotJSON:      "DATA_NOT_JSON",
	session.ErrReentered:        "APPEND_REENTERED",
	session.ErrIDTaken:          "ID_TAKEN",
	session.ErrAlreadyAttached:  "ALREADY_ATTACHED",
	session.ErrNotLive:          "NOT_LIVE",
	session.ErrAlreadyAnnounced: "ALREADY_ANNOUNCED",
	session.ErrChildExists:      "SESSION_ALREADY_EXISTS",
	session.ErrSourceNotFound:   "SESSION_NOT_FOUND",
	session.ErrSourceNotLive:    "SESSION_NOT_LIVE",
	session.ErrInvalidBoundary:  "INVALID_BOUNDARY",
	session.ErrOpenTurn:         "OPEN_TURN",
}

// thrown is the error that a script throws: whoever gets it gets it with its tag.
type thrown struct{ tag string }

func (t thrown) Error() string { return "thrown by the script: " + t.tag }

// refusal is the outcome of a command or an operation that ended with this error.
func refusal(err error) record {
	outcome := record{"is": "refused", "code": "UNKNOWN", "says": err.Error()}
	var script thrown
	var own declined
	switch {
	case errors.As(err, &script):
		outcome["code"], outcome["tag"] = "THROWN", script.tag
	case errors.As(err, &own):
		outcome["code"] = own.code
	case codes[err] != "":
		outcome["code"] = codes[err]
	}
	return outcome
}
