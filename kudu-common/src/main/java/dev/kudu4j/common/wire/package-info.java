/** Between our values and the wire's messages: schemas, predicates, statuses, partitions. */
package dev.kudu4j.common.wire;
