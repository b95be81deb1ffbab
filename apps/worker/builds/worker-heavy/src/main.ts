#!/usr/bin/env -S node --enable-source-maps --max-semi-space-size=2 --optimize-for-size
import { checkNode } from '@sidelinja/worker/check-node'

// Before the rest is loaded: a Node that is too old might fail in the middle of it.
checkNode()
await import('./worker.ts')
