// Package session is a port of DSH's sessions: headers, logs, seeds, the store of live sessions, and
// forks. It knows nothing of the suite that tests it.
//
// Like the original it is for one thread of control: a store, its sessions and its listeners belong
// to one goroutine.
package session

import (
	"math"
	"reflect"
	"unicode/utf8"
)

// Record is a JSON object, as encoding/json reads one.
type Record = map[string]any

const maxSafeInteger = 1<<53 - 1

// A container is a record or an array that a value lies in: where it is, and how long.
type container struct {
	address uintptr
	length  int
}

// lossless copies a value, and says whether JSON carries it there and back unchanged (LOG-3).
//
// Go cannot freeze a value, so what comes in and what goes out is copied instead (HDR-7, LOG-2).
func lossless(value any, inside ...container) (any, bool) {
	switch value := value.(type) {
	case nil, bool:
		return value, true
	case string: // other bytes would be replaced on the way
		return value, utf8.ValidString(value)
	case float64:
		return value, !math.IsNaN(value) && !math.IsInf(value, 0) && !isNegativeZero(value)
	case []any:
		return losslessArray(value, inside)
	case Record:
		return losslessRecord(value, inside)
	default:
		return nil, false
	}
}

func losslessArray(array []any, inside []container) (any, bool) {
	inside, cyclic := entered(array, inside)
	if array == nil || cyclic { // nil would come back as null
		return nil, false
	}
	copied := make([]any, len(array))
	for index, item := range array {
		var fits bool
		if copied[index], fits = lossless(item, inside...); !fits {
			return nil, false
		}
	}
	return copied, true
}

func losslessRecord(record Record, inside []container) (any, bool) {
	inside, cyclic := entered(record, inside)
	if record == nil || cyclic {
		return nil, false
	}
	copied := make(Record, len(record))
	for key, item := range record {
		var fits bool
		if copied[key], fits = lossless(item, inside...); !fits || !utf8.ValidString(key) {
			return nil, false
		}
	}
	return copied, true
}

// entered adds a container to those that its items lie in, and says whether it lies in itself.
func entered(value any, inside []container) ([]container, bool) {
	of := reflect.ValueOf(value)
	this := container{of.Pointer(), of.Len()}
	for _, outer := range inside {
		if outer == this && this.length > 0 {
			return inside, true
		}
	}
	return append(inside[:len(inside):len(inside)], this), false
}

// copied copies a value that is known to be lossless.
func copied[T any](value T) T {
	own, _ := lossless(value)
	same, _ := own.(T) // nil is of no type
	return same
}

func isNegativeZero(number float64) bool {
	return number == 0 && math.Signbit(number)
}

// isSafeInteger says whether the value is an integer that a float64 holds exactly.
func isSafeInteger(value any) bool {
	number, isNumber := value.(float64)
	return isNumber && number == math.Trunc(number) && math.Abs(number) <= maxSafeInteger
}

// isSafeCount says whether the value is such an integer and not negative.
func isSafeCount(value any) bool {
	return isSafeInteger(value) && value.(float64) >= 0
}
