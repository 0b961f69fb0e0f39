/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/support/leak-environment.ts',
  globalTeardown: '<rootDir>/test/support/end-jest.ts',
  // Suites often wait for disks, browsers and processes, so three suites at once keep two cores busy. Not a percentage: jest's
  // file map would take 150% as 150 processes.
  maxWorkers: 3,
  // Only a test that hangs reaches this timeout: other tests take far less, even on a busy machine.
  testTimeout: 180_000,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'esnext',
          experimental: { keepImportAttributes: true },
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'es6' },
      },
    ],
  },
  setupFilesAfterEnv: ['<rootDir>/test/support/quiet-console.ts'],
}
