export { en } from './index.ts'
