import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a temporary folder; removed after the tests of the file. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
