import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a temporary folder; removed after the tests of the file. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'))
  // A store that a test left open may still write; then the removal is tried again.
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
