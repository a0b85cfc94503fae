CREATE TABLE `jwt_integration` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`claim_key` text NOT NULL,
	`claim_index` text NOT NULL,
	`audience` text,
	`issuer` text,
	`public_keys` text NOT NULL,
	`quick_start` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `jwt_integration_org` ON `jwt_integration` (`org_id`);