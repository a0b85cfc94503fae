CREATE TABLE `support_access` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`requested_by` text,
	`request_reason` text,
	`requested_at` integer,
	`granted_by` text,
	`granted_at` integer,
	`expires_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
