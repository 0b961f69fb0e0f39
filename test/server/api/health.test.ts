import request from 'supertest'
import { get, setUpSite, site } from '../setup.ts'

let isStopping = false
setUpSite({ parts: { isStopping: () => isStopping } })

test.each([
  [false, 200],
  [true, 503],
])(
  'while the process stops (%s), /readyz is %d; /livez and pages are served',
  async (stopping, ready) => {
    isStopping = stopping
    for (const [path, status] of [
      ['/livez', 200],
      ['/readyz', ready],
    ] as const) {
      const { text, headers } = await get(path).expect(status)
      expect(text).toBe(status === 200 ? 'ok\n' : 'stopping\n')
      expect(headers['cache-control']).toBe('no-store')
      await request(site.url).head(path).expect(status)
    }
    await get('/').expect(200)
  },
)
