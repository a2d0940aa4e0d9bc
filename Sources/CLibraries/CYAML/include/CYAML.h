// libyaml: the parser, with the position of every node.
#pragma once
#include <yaml.h>
