import { parentPort, workerData } from 'node:worker_threads'
import { readDocument } from './read-document.ts'

/** The thread: reads one page and ends. What it throws is its end, too. */
if (parentPort) parentPort.postMessage(readDocument(workerData))
