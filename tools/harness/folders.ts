import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of this test file; it goes when the file's tests are over. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
