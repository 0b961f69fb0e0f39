export { createRandom, pick } from './numbers.ts'
