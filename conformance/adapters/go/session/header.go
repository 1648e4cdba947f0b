package session

import (
	"path"
	"time"
)

const formatVersion = 0.0

// metaKeys are the keys that a header takes over from metadata; others stay behind (HDR-9).
var metaKeys = []string{"cwd", "parentSession", "seedLength", "origin", "delegationDepth", "agentPreset"}

// now is the present time, in milliseconds.
func now() int64 {
	return time.Now().UnixMilli()
}

// candidate is the header that metadata asks for. What is no record is no metadata (HDR-1, HDR-4, HDR-9).
func candidate(id string, meta any) Record {
	given, _ := meta.(Record)
	header := Record{"version": formatVersion, "id": id, "createdAt": float64(now())}
	if given["createdAt"] != nil {
		header["createdAt"] = given["createdAt"]
	}
	for _, key := range metaKeys {
		if value, there := given[key]; there {
			header[key] = value
		}
	}
	return header
}

// accepted copies a candidate that can be a session's header (HDR-2 to 6, HDR-10).
func accepted(id string, candidate any) (Record, error) {
	own, fits := lossless(candidate)
	header, isRecord := own.(Record)
	switch {
	case !fits || !isRecord:
		return nil, ErrHeaderNotJSON
	case header["version"] != formatVersion:
		return nil, ErrHeaderVersion
	case header["id"] != id:
		return nil, ErrHeaderID
	case !isSafeCount(header["createdAt"]):
		return nil, ErrHeaderCreatedAt
	case !fieldFits(header, "cwd", isAbsolutePath):
		return nil, ErrHeaderCWD
	case !scalarsFit(header):
		return nil, ErrHeaderField
	}
	return header, nil
}

// scalarsFit says whether the other fields, where they are there, are of their types (HDR-6).
func scalarsFit(header Record) bool {
	return fieldFits(header, "parentSession", isText) &&
		fieldFits(header, "seedLength", isSafeCount) &&
		fieldFits(header, "origin", isSubagent) &&
		fieldFits(header, "delegationDepth", isSafeCount) &&
		fieldFits(header, "agentPreset", isText)
}

func fieldFits(header Record, key string, fits func(any) bool) bool {
	value, there := header[key]
	return !there || fits(value)
}

func isText(value any) bool {
	_, isText := value.(string)
	return isText
}

func isSubagent(value any) bool {
	return value == "subagent"
}

// isAbsolutePath says whether the value is an absolute POSIX path, wherever this runs (HDR-5).
func isAbsolutePath(value any) bool {
	text, isText := value.(string)
	return isText && path.IsAbs(text)
}
