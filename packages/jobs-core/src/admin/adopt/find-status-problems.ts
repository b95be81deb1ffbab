import type { AdoptionProblem } from './adoption.ts'
import type { CatalogueFacts, StatusType } from './facts.ts'

const needed = ['pending', 'running', 'completed', 'error', 'retry']

/** The status must be the enum job_status, to which only `cancelled` is added. */
export function findStatusProblems({ statusType, schema }: CatalogueFacts): AdoptionProblem[] {
  if (!statusType) return []
  const { name, labels } = statusType
  if (!labels) {
    const message = `job_queue.status is ${name}, not the enum job_status`
    const remedy = 'Convert it. Drop other indexes, checks and views that name status before, and make them again.'
    return [{ rule: 'status-not-enum', message, remedy, sql: conversion() }]
  }
  if (name !== 'job_status' || statusType.schema !== schema) {
    const message = `the type of job_queue.status is ${statusType.schema}.${name}, and must be ${schema}.job_status`
    return [{ rule: 'status-type-name', message, remedy: 'Rename it.', sql: rename(statusType, schema) }]
  }
  const missing = needed.filter((label) => !labels.includes(label))
  if (missing.length > 0) {
    const message = `job_status has no ${missing.join(', ')}`
    const sql = missing.map((label) => `alter type job_status add value '${label}'`).join('; ')
    return [{ rule: 'status-label-missing', message, remedy: 'Add it.', sql }]
  }
  if (statusType.owned || labels.includes('cancelled')) return []
  return [{ rule: 'status-not-owner', message: 'this role does not own the type job_status', remedy: 'Run migrate as its owner.' }]
}

/** Indexes, checks and the default compare with text and are in the way. */
function conversion(): string {
  return [
    `create type job_status as enum ('pending', 'running', 'completed', 'error', 'retry')`,
    'drop index if exists idx_job_queue_pending',
    `alter table job_queue drop constraint if exists job_queue_status_check, alter column status drop default,
    alter column status type job_status using status::job_status, alter column status set default 'pending'`,
  ].join(';\n    ')
}

function rename({ name, schema: from }: StatusType, schema: string): string {
  return [
    ...(name === 'job_status' ? [] : [`alter type ${from}.${name} rename to job_status`]),
    ...(from === schema ? [] : [`alter type ${from}.job_status set schema ${schema}`]),
  ].join('; ')
}
