export { BEHIND_PROXY, createVisitor } from './site.ts'
