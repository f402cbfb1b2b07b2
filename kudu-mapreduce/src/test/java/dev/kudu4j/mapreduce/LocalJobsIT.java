package dev.kudu4j.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.embedded.junit5.KuduClusterExtension;
import dev.kudu4j.mapreduce.example.DelaysPerCarrier;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whole jobs over the flights, whose tasks run one after the other in this JVM. */
class LocalJobsIT {
  @RegisterExtension
  static final KuduClusterExtension KUDU =
      KuduClusterExtension.of(EmbeddedCluster.builder().tabletServers(2));

  @TempDir Path directory;
  private final Configuration conf = new Configuration();

  @BeforeEach
  void keepFilesTogether() {
    conf.set("hadoop.tmp.dir", directory.toString());
  }

  private static long rowsRead(Job job) throws Exception {
    return job.getCounters().findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue();
  }

  @Test
  void delaysPerCarrierEqualThoseOfTheCsv(EmbeddedCluster cluster, KuduClient client)
      throws Exception {
    List<Flights.Flight> flights = Flights.read();
    Flights.load(client, Flights.createFlights(client, "flights"), flights);
    Flights.createDelays(client);
    Job job = DelaysPerCarrier.job(conf, cluster.masterAddresses());
    assertThat(job.waitForCompletion(true)).isTrue();
    assertThat(rowsRead(job)).isEqualTo(Flights.COUNT);
    assertThat(Flights.scanDelays(client)).isEqualTo(Flights.delays(flights)).hasSize(16);
  }

  /** Each task of the job begins after the previous tasks have written. */
  @Test
  void aJobThatWritesIntoItsInputReadsOnlyEarlierRows(EmbeddedCluster cluster, KuduClient client)
      throws Exception {
    List<Flights.Flight> flights = Flights.read().subList(0, 10_000);
    Flights.load(client, Flights.createFlights(client, "own"), flights);
    Job job = FlightCopy.job(conf, cluster.masterAddresses(), "own", "own", 10_000);
    assertThat(job.waitForCompletion(true)).isTrue();
    assertThat(rowsRead(job)).isEqualTo(flights.size());
    assertThat(Flights.count(client, "own")).isEqualTo(2L * flights.size());
  }
}
