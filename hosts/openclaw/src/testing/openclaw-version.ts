/** The version that the tests install. */
export const OPENCLAW = 'openclaw@2026.9.6'
