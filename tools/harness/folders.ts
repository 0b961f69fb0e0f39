export { createFolder } from '../../test/support/folders.ts'
