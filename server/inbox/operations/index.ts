// With SQLite, only the worker thread loads this file, so that the main thread starts faster.
export * from './erase.ts'
export * from './mail.ts'
export * from './mail-quota.ts'
export * from './messages.ts'
export * from './overview.ts'
export * from './submit.ts'
export * from './triage.ts'
export * from './upkeep.ts'
