/**
 * {@code kudu cluster ksck} and the small lists of servers. A {@link
 * dev.kudu4j.tools.cluster.ClusterSurvey} asks every server what it knows; {@link
 * dev.kudu4j.tools.cluster.TabletVerdict} judges each tablet by that, without any call; {@link
 * dev.kudu4j.tools.cluster.KsckReport} prints it, and what to do next.
 */
package dev.kudu4j.tools.cluster;
