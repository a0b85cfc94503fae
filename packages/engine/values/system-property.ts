/** The property that every feature has. Adding a feature to a plan sets it to true. */
export const SYSTEM_PROPERTY = {
  key: 'enabled',
  name: 'Enabled',
  description: 'Whether the feature is available at all.',
  type: 'boolean',
  value: false,
  bounds: null,
  conflictResolution: 'higher',
  isSystem: true,
} as const;

/** The system property's value when a feature is added to a plan. */
export const SYSTEM_PROPERTY_PLAN_VALUE = true;
