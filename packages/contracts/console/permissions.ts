/** Team roles and what each may do beyond editing the workspace, which every member may. */
import { z } from 'zod';
import type { Permission } from '../public/endpoint.ts';

export const roleSchema = z.enum(['owner', 'admin', 'member']);
export type Role = z.infer<typeof roleSchema>;

export const PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: ['org:edit', 'team-members:edit'],
  admin: ['org:edit', 'team-members:edit'],
  member: [],
};
