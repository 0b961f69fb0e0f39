import { run } from '../../tools/harness/process.ts'

test('the proof kills holds for two kills', async () => {
  const args = ['tools/proofs/main.ts', 'kills', '--count', '2', '--store', 'sqlite']
  const { status, stdout, stderr } = await run(process.execPath, args)
  expect(stdout + stderr).toMatch(/^proved$/m)
  expect(status).toBe(0)
})
