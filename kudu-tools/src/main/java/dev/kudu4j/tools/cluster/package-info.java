/**
 * {@code kudu cluster ksck} and the verbs for servers, tablets and replicas. A {@link
 * dev.kudu4j.tools.cluster.ClusterSurvey} queries the state of every server; {@link
 * dev.kudu4j.tools.cluster.TabletVerdict} derives the health of each tablet from it, without calls;
 * {@link dev.kudu4j.tools.cluster.KsckReport} prints the result and the next steps.
 */
package dev.kudu4j.tools.cluster;
