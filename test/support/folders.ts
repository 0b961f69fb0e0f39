export { createFolder } from '../../tools/harness/folders.ts'
