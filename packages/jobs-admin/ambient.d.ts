// For the type check of the page alone: a host's bundler knows what to do with it.
declare module '*.css'
