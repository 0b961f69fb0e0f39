export { fr } from './index.ts'
