/** Team roles and what each may do beyond editing the workspace, which every member may. */
import { z } from 'zod';

export const roleSchema = z.enum(['owner', 'admin', 'member']);
export type Role = z.infer<typeof roleSchema>;

export const permissionSchema = z.enum(['org:edit', 'team-members:edit']);
export type Permission = z.infer<typeof permissionSchema>;

export const PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: ['org:edit', 'team-members:edit'],
  admin: ['org:edit', 'team-members:edit'],
  member: [],
};
