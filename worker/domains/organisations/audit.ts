export { auditRow } from '#worker/db/audit';
