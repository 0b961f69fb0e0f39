export { findPlaceholders } from './company.ts'
