#pragma once

// The program has a `main` of its own.
#define SDL_MAIN_HANDLED
#include <SDL.h>

// What Swift does not import: macros that cast, and enumerations that are compared with fields of another
// type.
static const Uint32 CSDL_INIT_VIDEO = SDL_INIT_VIDEO;
static const int CSDL_WINDOWPOS_CENTERED = SDL_WINDOWPOS_CENTERED;
static const Uint32 CSDL_PIXELFORMAT_ARGB8888 = SDL_PIXELFORMAT_ARGB8888;
