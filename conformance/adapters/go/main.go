// The adapter of the port in session/: reads requests, drives the port, answers.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

const protocol = 1

// A record is a JSON object that is to be written.
type record = map[string]any

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(70)
	}
}

// serve answers line by line until the suite says bye or closes the stream.
func serve(requests io.Reader, answers io.Writer) error {
	lines := bufio.NewReader(requests)
	current := newWorld()
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		request, err := read(line)
		answer := record{"error": fmt.Sprint(err)}
		if err == nil {
			answer, current = answered(current, request)
		}
		answer["n"] = request.n
		if err := json.NewEncoder(answers).Encode(answer); err != nil {
			return err
		}
		if request.does == "bye" {
			return nil
		}
	}
}

// answered is the answer to a request, all but its number, and the world after it.
func answered(current *world, request request) (record, *world) {
	switch request.does {
	case "hello":
		return hello(), current
	case "reset", "bye":
		return record{"leftovers": current.takeSeen()}, newWorld()
	default:
		outcome := current.perform(request.command, nobody)
		current.becomeQuiescent()
		current.reactions = nil
		return record{"outcome": outcome, "seen": current.takeSeen(), "live": current.live()}, current
	}
}

func hello() record {
	return record{
		"protocol":       protocol,
		"implementation": record{"name": "go", "version": "0.1.0"},
		"groups":         []string{"HDR", "LOG", "SEED", "STO", "FORK"},
		"capabilities":   capabilities(),
		"mint":           "session-{n}",
	}
}
