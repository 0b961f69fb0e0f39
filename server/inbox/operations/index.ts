// Only the thread that runs operations loads them: the site starts faster without.
export * from './erase.ts'
export * from './mail.ts'
export * from './mail-quota.ts'
export * from './messages.ts'
export * from './overview.ts'
export * from './submit.ts'
export * from './triage.ts'
export * from './upkeep.ts'
