package dev.kudu4j.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.mapreduce.Flights.Flight;
import dev.kudu4j.mapreduce.example.DelaysPerCarrier;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on a small YARN, whose tasks are processes. The class path of the tasks contains Hadoop's
 * jars, including another version of Netty, and no Kudu4j classes: the job brings these, as on a
 * real cluster.
 */
@Tag("nightly")
class YarnJobsIT {
  @TempDir static Path directory;
  private static EmbeddedCluster kudu;
  private static MiniYarn yarn;
  private static List<Flight> flights;

  @BeforeAll
  static void start() throws Exception {
    kudu = EmbeddedCluster.builder().tabletServers(2).start();
    flights = Flights.read();
    Flights.load(kudu.client(), Flights.createFlights(kudu.client(), "flights"), flights);
    yarn = new MiniYarn(Path.of("mini-yarn"), directory);
  }

  @AfterAll
  static void stop() {
    if (yarn != null) {
      yarn.close();
    }
    if (kudu != null) {
      kudu.close();
    }
  }

  /** The job's tasks get the shaded jar and the job's classes, after the jars of Hadoop. */
  @Test
  void delaysPerCarrierEqualThoseOfTheCsv() throws Exception {
    KuduClient client = kudu.client();
    Flights.createDelays(client);
    Job job = DelaysPerCarrier.job(yarn.jobConf(), kudu.masterAddresses());
    job.getConfiguration().unset("mapreduce.job.user.classpath.first");
    job.getConfiguration()
        .set("tmpjars", Path.of(System.getProperty("shaded.jar")).toUri().toString());
    KuduTableMapReduceUtil.addDependencyJars(job.getConfiguration(), DelaysPerCarrier.class);
    for (String jar : job.getConfiguration().getStrings("tmpjars")) {
      assertThat(jar).doesNotContain("netty");
    }
    assertThat(job.waitForCompletion(true)).isTrue();
    assertThat(Flights.scanDelays(client)).isEqualTo(Flights.delays(flights)).hasSize(16);
  }

  /** The task's process is killed when the task has written many of its rows. */
  @Test
  void aKilledTaskIsRepeatedOnTheSameRows() throws Exception {
    KuduClient client = kudu.client();
    KuduTable source = Flights.createFlights(client, "source");
    List<Flight> some = flights.subList(0, 100_000);
    Flights.load(client, source, some);
    Flights.createFlights(client, "copy");
    Configuration conf = yarn.jobConf();
    conf.setInt(FlightCopy.DIE_AT_KEY, 8_000);
    Job job = FlightCopy.job(conf, kudu.masterAddresses(), "source", "copy", 0);
    job.submit();
    // While it runs: rows that it must not see.
    Flights.load(client, source, flights.subList(100_000, 150_000));
    assertThat(job.waitForCompletion(true)).isTrue();
    assertThat(job.getCounters().findCounter(JobCounter.NUM_FAILED_MAPS).getValue()).isEqualTo(1);
    assertThat(job.getCounters().findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue())
        .isEqualTo(some.size());
    assertThat(new HashSet<>(Flights.scan(client, "copy"))).isEqualTo(Set.copyOf(some));
    assertThat(Flights.count(client, "source")).isEqualTo(150_000);
  }
}
