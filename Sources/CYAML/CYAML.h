// The only sight of libyaml in the package: Debian's libyaml-dev, and Homebrew's libyaml on macOS.
#ifndef FLAGMENU_CYAML_H
#define FLAGMENU_CYAML_H

#include <yaml.h>

// Why the last event could not be read; NULL if libyaml does not say.
static inline const char *yaml_parser_issue(const yaml_parser_t *parser) { return parser->problem; }

// The place of yaml_parser_issue.
static inline yaml_mark_t yaml_parser_issue_mark(const yaml_parser_t *parser) { return parser->problem_mark; }

// The offset in bytes of a text that is not UTF-8 or has control characters; the mark is not set then.
static inline size_t yaml_parser_issue_offset(const yaml_parser_t *parser) { return parser->problem_offset; }

#endif
