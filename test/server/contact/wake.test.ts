import { jest } from '@jest/globals'
import { post, postForm, VALID } from '../../../tools/harness/contact.ts'
import { startSite } from '../../support/site.ts'

test('the outbox is woken by what was kept, and by nothing else', async () => {
  const onKept = jest.fn()
  const site = await startSite({ parts: { onKept } })
  await post(site, { ...VALID, message: 'short' }).expect(400)
  expect(onKept).toHaveBeenCalledTimes(0)
  await post(site, VALID, { 'Idempotency-Key': 'key' }).expect(200)
  expect(onKept).toHaveBeenCalledTimes(1)
  await post(site, VALID, { 'Idempotency-Key': 'key' }).expect(200)
  expect(onKept).toHaveBeenCalledTimes(1)
  await postForm(site, { ...VALID, message: 'Another message' }).expect(303)
  expect(onKept).toHaveBeenCalledTimes(2)
  await site.stop()
})
