<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="ground" tilewidth="32" tileheight="32" tilecount="16" columns="16">
 <image source="ground.png" width="512" height="32"/>
 <tile id="0" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="float" value="0.0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="1" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.25"/>
   <property name="cover" type="float" value="1.0"/>
   <property name="ground" value="field"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="2" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="float" value="0.0"/>
   <property name="ground" value="road"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="3" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="float" value="2.0"/>
   <property name="ground" value="wood"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="4" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="float" value="0.0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="5" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="float" value="2.0"/>
   <property name="ground" value="reeds"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="6" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="float" value="0.0"/>
   <property name="ground" value="stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="7" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="float" value="0.0"/>
   <property name="ground" value="gravel"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="8" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="float" value="3.0"/>
   <property name="ground" value="wall"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="9" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="float" value="0.0"/>
   <property name="ground" value="bridge_stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="10" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="float" value="0.0"/>
   <property name="ground" value="bridge_plank"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="11" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="float" value="0.0"/>
   <property name="ground" value="floor"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="12" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="float" value="0.0"/>
   <property name="ground" value="void"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
</tileset>
