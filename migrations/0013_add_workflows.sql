CREATE TABLE `workflow` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`type` text NOT NULL,
	`feature_id` text,
	`enabled` integer DEFAULT true NOT NULL,
	`source` text DEFAULT '' NOT NULL,
	`compiled_source` text,
	`compiled` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `workflow_org` ON `workflow` (`org_id`);