package dev.kudu4j.itest;

import dev.kudu4j.itest.published.ReplicationSpeedCases;
import org.junit.jupiter.api.Tag;

/** Tables of three replicas are fast enough, seen by the published client. */
@Tag("nightly")
class ReplicationSpeedWithPublishedClientIT extends ReplicationSpeedCases {}
