CREATE TABLE `workflow_disablement` (
	`org_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`workflow_id` text NOT NULL,
	`reason` text NOT NULL,
	`disabled_at` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `workflow_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE cascade
);
