export { writeCookie } from './format.ts'
