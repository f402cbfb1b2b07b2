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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The job of the documentation over all flights, in this JVM. */
class FlightsIT {
  @RegisterExtension
  static final KuduClusterExtension KUDU =
      KuduClusterExtension.of(EmbeddedCluster.builder().tabletServers(2));

  @TempDir Path directory;

  @Test
  void delaysPerCarrierEqualThoseOfTheCsv(EmbeddedCluster cluster, KuduClient client)
      throws Exception {
    List<Flights.Flight> flights = Flights.read();
    Flights.load(client, Flights.createFlights(client, "flights"), flights);
    Flights.createDelays(client);
    Configuration conf = new Configuration();
    conf.set("hadoop.tmp.dir", directory.toString());
    conf.setLong(KuduTableInputFormat.SPLIT_SIZE_BYTES_KEY, 256 << 10);
    Job job = DelaysPerCarrier.job(conf, cluster.masterAddresses());
    assertThat(job.waitForCompletion(true)).isTrue();
    assertThat(job.getCounters().findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue())
        .isEqualTo(Flights.COUNT);
    assertThat(Flights.scanDelays(client)).isEqualTo(Flights.delays(flights)).hasSize(16);
  }
}
