// Only the thread that runs operations loads this file: the site starts faster without it.
export * from './erase.ts'
export * from './mail.ts'
export * from './mail-quota.ts'
export * from './messages.ts'
export * from './overview.ts'
export * from './submit.ts'
export * from './triage.ts'
export * from './upkeep.ts'
